"""Five dose scenarios as in the literature: the probability of harm at five doses, 30% being the target."""

TARGET, N_PATIENTS, COHORT = 0.3, 30, 3
DOSES = (1.0, 2.0, 3.0, 4.0, 5.0)
SCENARIOS = {
    "steep, dose 3": (0.02, 0.08, 0.30, 0.60, 0.80),
    "flat, dose 4": (0.05, 0.10, 0.18, 0.30, 0.42),
    "low, dose 2": (0.12, 0.30, 0.50, 0.65, 0.75),
    "top, dose 5": (0.01, 0.03, 0.07, 0.15, 0.30),
    "first, dose 1": (0.30, 0.50, 0.65, 0.75, 0.85),
}
