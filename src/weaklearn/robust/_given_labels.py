r"""The likelihood of given labels, of which some are wrong.

Both noise models, that of the classifier (`_noise_link`) and that of the auditor (`_mistakes`), have true labels with
:math:`q = \mathrm{softmax}(a S + b)` and given labels z with :math:`P(z \mid x) = \sum_j q_j T_{jz}`. They
differ in the matrices T that they allow, and in what a and b are pulled to.
"""

import numpy as np

__all__ = ["given_labels_loss"]


def given_labels_loss(a, b, S, columns, anchors, weight=None):
    """Negative log likelihood of the given labels.

    Parameters
    ----------
    a : float
    b : ndarray of shape (n_classes,)
        Slope and constants of the log-odds of true labels.
    S : ndarray of shape (n_samples, n_classes)
        Held-out log-odds.
    columns : ndarray of shape (n_samples, n_classes)
        T_jz of the given labels z, and 0 for true labels that are ruled out.
    anchors : Anchors or None
        Rows that should be nearly certain.
    weight : ndarray of shape (n_samples,), default=None
        A weight of two counts like two rows; None stands for ones.

    Returns
    -------
    loss : float
    doubt : float
        What the anchors add to it.
    slope : ndarray of shape (n_samples, n_classes)
        The gradient of ``loss + doubt`` by ``a * S + b``.
    """
    q = a * S + b
    q -= q.max(axis=1, keepdims=True)
    np.exp(q, out=q)
    q /= q.sum(axis=1, keepdims=True)
    joint = q * columns
    given = np.maximum(joint.sum(axis=1), 1e-300)
    logarithms = np.log(given)
    loss = -logarithms.sum() if weight is None else -weight @ logarithms
    doubt, slope_doubt = (0.0, 0.0) if anchors is None else anchors.doubt(q)
    joint /= given[:, None]
    q -= joint
    if weight is not None:
        q *= weight[:, None]
    if anchors is not None:
        q[anchors.rows] += slope_doubt
    return loss, doubt, q
