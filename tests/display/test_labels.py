"""The plot of an audit: the curve falls, and the list and the interval are where the auditor says."""

from types import SimpleNamespace

import numpy as np

from weaklearn.display import LabelAuditDisplay


def test_curve_list_and_interval():
    P = np.random.default_rng(0).random(200)
    auditor = SimpleNamespace(
        wrong_probability_=P, flagged_=np.argsort(-P)[:40], n_wrong_interval_=(20.0, 90.0)
    )
    display = LabelAuditDisplay.from_estimator(auditor, name="mine")
    x, y = display.line_.get_data()
    np.testing.assert_array_equal(x, np.arange(1, 136))
    np.testing.assert_allclose(y, np.sort(P)[::-1][:135])
    area = display.ax_.patches[0].get_extents().transformed(display.ax_.transData.inverted())
    np.testing.assert_allclose([area.x0, area.x1], [20, 90])
    ends = [line.get_xdata()[0] for line in display.ax_.get_lines() if line.get_label() == "end of the list"]
    assert ends == [40]


def test_without_a_list():
    display = LabelAuditDisplay([0.5, 0.1, 0.3]).plot()
    assert len(display.ax_.get_lines()) == 1
    assert not display.ax_.patches
