//! The account that the object names may not delete what the object has created.

use super::common::{AskedController, Case, FoundReason, NamedReason, Stage, WordedReason};
use crate::facts::Known;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::tenant::{self, Tenant};
use crate::plan::full_name;
use crate::report::{Cause, Remedy, Sentence, and_more};

pub(crate) const REASON: NamedReason =
    NamedReason::new("tenant-permissions-missing", include_str!("tenant_permissions_missing.md"), Stage::Rights);

pub(super) fn ask<'s>(asked: &AskedController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Inquiry { held, facts, .. } = asked.inquiry;
    let lacking = held.read().next().map_or(Ok(None), |first| tenant::lacking(first, facts))?;
    Ok(lacking.map(|tenant| REASON.found(move |case| answer(case, &tenant))))
}

fn answer<'s>(case: &Case<'_, 's>, tenant: &Tenant) -> WordedReason<'s> {
    let Tenant { account, what, more } = tenant;
    let because = Sentence::from(account)
        .then(", which its controller acts as, may not delete ")
        .then(what)
        .then(format!("{}, which it lists as its own", and_more(*more)));
    let (namespace, name, what) = (account.namespace.as_deref().unwrap_or_default(), &account.name, full_name(what));
    let way = Remedy::command(
        Sentence::from("let ").then(account).then(format!(" delete what it lists{}", case.when())),
        format_args!("kubectl auth can-i delete {what} --as=system:serviceaccount:{namespace}:{name}"),
        "that account may then delete such objects",
    );
    // Only the name of the field shows that the controller works as that account.
    let answer = REASON.likely(case, because).cause(Cause::Permissions).waits_for(account.clone());
    answer.can_be_mended(true).acts().remedies([way])
}
