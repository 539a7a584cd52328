//! The sources of facts: a cluster, or a recorded survey.

mod live;
mod logs;
mod progress;
mod recorded;
mod rounds;

pub use live::{Diagnosed, Live};
pub use progress::hide_progress;
pub use recorded::{RecordedSurvey, recorded};
