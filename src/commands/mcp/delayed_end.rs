//! A conversation that ends only after all answers: at the end of the input, rmcp waits for five
//! seconds, but a scan of a large cluster may take longer.

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use std::collections::HashSet;

/// Delays the end of the input while requests are under way.
pub(super) struct DelayedEnd<T> {
    transport: T,
    /// The requests that are neither answered nor cancelled.
    under_way: HashSet<RequestId>,
}

impl<T> DelayedEnd<T> {
    pub(super) fn new(transport: T) -> Self {
        Self { transport, under_way: HashSet::new() }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for DelayedEnd<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        match &message {
            JsonRpcMessage::Response(answer) => drop(self.under_way.remove(&answer.id)),
            JsonRpcMessage::Error(error) => drop(error.id.as_ref().map(|id| self.under_way.remove(id))),
            _ => {}
        }
        self.transport.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let message = self.transport.receive().await;
        match &message {
            Some(JsonRpcMessage::Request(request)) => drop(self.under_way.insert(request.id.clone())),
            Some(JsonRpcMessage::Notification(told)) => {
                if let ClientNotification::CancelledNotification(cancelled) = &told.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.under_way.remove(id);
                }
            }
            // rmcp asks again after each answer that it sends.
            None if !self.under_way.is_empty() => std::future::pending().await,
            _ => {}
        }
        message
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.transport.close().await
    }
}
