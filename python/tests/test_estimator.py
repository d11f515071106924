"""What every estimator of scikit-learn does."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from vasst import VasstRegressor

#: Checks that the estimator does not pass, with the reason.
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": (
        "a weight says how precise a row is, and not how often it was seen: two rows are more evidence than one of weight 2"
    ),
}


@parametrize_with_checks(
    [VasstRegressor(effort=2000, trees=1, depth=3, workers=1)],
    expected_failed_checks=lambda _: EXPECTED,
)
def test_is_an_estimator(estimator, check):
    check(estimator)
