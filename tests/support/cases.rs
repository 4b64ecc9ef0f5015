//! How many generated cases a test draws: as many as it says; with `PLANNER_CASES=large` forty times as
//! many, as on a night; with `PLANNER_CASES=500` five hundred.

/// Cases of a test that usually draws so many.
pub(crate) fn drawn_cases(usual: u64) -> u64 {
    /// What a night draws for each case of a day.
    const LARGE: u64 = 40;
    match std::env::var("PLANNER_CASES").as_deref() {
        Ok("large") => usual * LARGE,
        Ok(number) => number.parse().expect("PLANNER_CASES is `large` or a number"),
        Err(_) => usual,
    }
}
