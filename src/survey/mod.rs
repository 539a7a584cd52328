//! Facts: the questions to the API server and its answers.
//!
//! A [`Survey`] maps each [`Want`] to a [`Fact`]. A failed read is [`Fact::Unread`] with its
//! reason, never an empty list. Nothing here talks to a server: `read` fills a survey,
//! [`mod@file`] writes and reads one.

mod allowed;
mod base;
mod bounded;
mod brief;
mod credentials;
mod expression;
mod fact;
pub mod file;
mod finalizers;
mod in_memory;
mod items;
mod log;
mod managers;
mod marks;
mod metadata;
mod near;
mod not_a_survey;
mod object;
mod printed;
mod probe;
mod purpose;
mod resource;
mod selector;
mod served_by;
mod snapshot;
mod texts;
mod uid;
mod want;
mod weight;
mod yaml;

pub use allowed::{CalledService, Fields, LeftOut, Limit, LimitedTo, arguments, is_name, keep, keeps, variables};
pub(crate) use allowed::{
    called_services, counts_users, each_text, is_kept_annotation, is_key, is_label_value, is_of_an_id, last_word,
    may_be_secret, service_of_host, stem_in_lower_case, stem_of_name, stem_of_reference, tells_of_attempts,
};
pub(crate) use bounded::read as read_object;
pub(crate) use brief::beginning;
pub use brief::brief;
pub use credentials::mask;
pub use expression::{Asker, Expression};
pub use fact::{Fact, Reason, Unread};
pub use finalizers::{FOREGROUND, ORPHAN, has};
pub(crate) use finalizers::{deletes_dependents, is_collectors};
pub use in_memory::{InMemory, answered};
pub use log::{Bearing, Log, LogLine, LogOf, LogReading, Severity, Topic, covered, log_of, pick, running};
pub use metadata::Metadata;
pub(crate) use near::near;
pub use object::{Condition, FieldManager, Object, Seen, is_short};
pub use printed::without_printed;
pub use probe::{Probe, ProbeOf, Probed, Refused};
pub use purpose::{Cascade, ProductName, Purpose, Scan, Scope, TargetName};
pub use resource::{Discovery, Resource, ResourceId};
pub(crate) use resource::{encode, is_label, is_path_segment, one_of};
pub use selector::Selector;
pub use served_by::ServedBy;
pub(crate) use served_by::is_built_in_group;
pub use snapshot::Survey;
pub use texts::Texts;
pub use uid::Uid;
pub(crate) use want::Sought;
pub use want::{Form, Want};
