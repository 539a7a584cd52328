//! Sends requests to an API server and receives its answers: the connection and its login, the
//! number of requests in flight, the limits on answers, the meaning of refusals, and the log.
//!
//! [`connect`] makes the connection. Nothing here knows the purpose of a request.

pub(crate) mod aggregated;
mod answer_cache;
pub(crate) mod at_once;
pub(crate) mod compressed;
pub mod connect;
mod connection;
mod credentials;
pub(crate) mod dry_run;
pub(crate) mod duration;
pub(crate) mod http;
pub(crate) mod in_flight;
pub(crate) mod memory;
mod one_first;
pub(crate) mod protobuf;
pub(crate) mod refusal;
mod registrations;
mod request_log;
pub(crate) mod scan;
pub(crate) mod throttle;
mod tls;
mod two_connections;

pub use at_once::AT_ONCE;
pub use connection::Connection;
pub use http::{Answer, Api, METADATA};
pub use refusal::Refusal;
