//! Messages of JSON-RPC 2.0 (<https://www.jsonrpc.org/specification>), as far as MCP uses them.

use serde_json::{Map, Value, json};

/// A message from the client.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    /// Expects an answer.
    Request { id: Value, method: String, parameters: Map<String, Value> },
    /// Expects none.
    Notification { method: String, parameters: Map<String, Value> },
    /// An answer to a request that was never sent.
    Answer,
}

/// The JSON-RPC error codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorCode {
    NoJson = -32700,
    NoRequest = -32600,
    NoMethod = -32601,
    BadParameters = -32602,
    Broken = -32603,
}

impl Message {
    /// Parses a message.
    ///
    /// # Errors
    /// The answer that says what is wrong.
    pub(super) fn read(line: &[u8]) -> Result<Self, Value> {
        let value: Value = serde_json::from_slice(line)
            .map_err(|error| failed(&Value::Null, ErrorCode::NoJson, &format!("this is no JSON: {error}")))?;
        let refused = |id: &Value, why: &str| Err(failed(id, ErrorCode::NoRequest, why));
        let Value::Object(mut message) = value else { return refused(&Value::Null, "a message is a JSON object") };
        let id = message.remove("id");
        let named = id.clone().filter(|id| id.is_string() || id.is_number()).unwrap_or_default();
        if message.get("jsonrpc") != Some(&"2.0".into()) {
            return refused(&named, "a message has \"jsonrpc\": \"2.0\"");
        }
        let parameters = match message.remove("params") {
            None => Map::new(),
            Some(Value::Object(parameters)) => parameters,
            Some(_) => return Err(failed(&named, ErrorCode::BadParameters, "params is a JSON object")),
        };
        match (message.remove("method"), id) {
            (Some(Value::String(method)), None) => Ok(Self::Notification { method, parameters }),
            (Some(Value::String(method)), Some(_)) if !named.is_null() => {
                Ok(Self::Request { id: named, method, parameters })
            }
            (Some(Value::String(_)), _) => refused(&named, "an id is a text or a number"),
            (None, Some(_)) if message.contains_key("result") || message.contains_key("error") => Ok(Self::Answer),
            _ => refused(&named, "a message has a method"),
        }
    }
}

/// An answer with a result.
pub(super) fn answered(id: &Value, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

/// An answer with an error.
pub(super) fn failed(id: &Value, why: ErrorCode, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": why as i32, "message": message}})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(line: &str) -> (Value, Value) {
        let answer = Message::read(line.as_bytes()).expect_err(line);
        (answer["error"]["code"].clone(), answer["id"].clone())
    }

    #[test]
    fn requests_notifications_and_answers_are_distinguished() {
        let read = |line: &str| Message::read(line.as_bytes()).expect(line);
        let request = read(r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#);
        assert_eq!(request, Message::Request { id: "a".into(), method: "ping".into(), parameters: Map::new() });
        let told = read(r#"{"jsonrpc":"2.0","method":"x","params":{"y":1}}"#);
        assert!(matches!(told, Message::Notification { parameters, .. } if parameters["y"] == 1));
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), Message::Answer);
    }

    #[test]
    fn invalid_messages_are_refused_with_error_codes() {
        assert_eq!(code("{"), (json!(-32700), Value::Null));
        assert_eq!(code(&"[".repeat(100_000)), (json!(-32700), Value::Null));
        assert_eq!(code("[]"), (json!(-32600), Value::Null));
        assert_eq!(code(r#"{"id":7,"method":"ping"}"#), (json!(-32600), json!(7)));
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#), (json!(-32600), Value::Null));
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":7,"method":3}"#), (json!(-32600), json!(7)));
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":7}"#), (json!(-32600), json!(7)));
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}"#), (json!(-32602), json!(7)));
    }
}
