#!/bin/sh
# The JSON interface of `weaklearn serve` by curl alone: start a session, answer its first question, see the estimate.
#
#     sh examples/threshold_client.sh 'http://127.0.0.1:8765/?token=...'
set -eu
address=$1
base=${address%%/\?*}/api
token=${address##*token=}

call() { # METHOD PATH [BODY]
    curl --fail-with-body --silent --show-error --request "$1" "$base$2" \
        --header "Authorization: Bearer $token" --header "Content-Type: application/json" ${3:+--data "$3"}
}
number() { # NAME, from a document on standard input
    sed "s/.*\"$1\": *\([0-9.]*\).*/\1/"
}

session=$(call POST /sessions '{"levels": "1:10:10", "question": "Is {level} enough?"}')
key=$(printf %s "$session" | sed 's/.*"key": *"\([0-9a-f]*\)".*/\1/')
question=$(call GET "/sessions/$key/question")
level=$(printf %s "$question" | number level)
revision=$(printf %s "$question" | number revision)
call POST "/sessions/$key/answers" "{\"level\": $level, \"outcome\": true, \"revision\": $revision}"
echo
call GET "/sessions/$key/estimate"
echo
call GET "/sessions/$key/answers.csv"
