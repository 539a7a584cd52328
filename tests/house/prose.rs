//! Nothing below the screens reads a sentence of the program's own: what a decision needs is a field beside the
//! sentence. The words may change with any release, and strangers write parts of them.

use super::{FIND_IN_ANYTHING, FIND_WORDS, House, ROOMS, is_for_tests};
use std::collections::BTreeSet;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprBinary, ExprMethodCall, ImplItem, Item, Macro, Member};

/// The fields that hold sentences of the program's own, or texts of the catalogue.
const FIELDS: [&str; 15] = [
    "consequence", "controller", "evidence", "guards", "if_finished", "if_removed", "note", "product", "summary",
    "text", "title", "via", "way_out", "what", "why",
];

/// Those that are compared with nothing but each other; the others also name parts of an object, or an enum.
const COMPARED: [&str; 9] =
    ["consequence", "guards", "if_finished", "if_removed", "summary", "text", "title", "via", "way_out"];

/// Variables that hold such a sentence.
const VARIABLES: [&str; 7] = ["consequence", "evidence", "guards", "summary", "title", "what", "why"];

/// Files that read a text with such a name, and whose text that is.
const ALLOWED: [(&str, &str); 5] = [
    ("diagnosis/merge", "two remedies for a person are one if their titles are equal"),
    ("knowledge/explain", "the title of a page is a heading in a file, and a product is a name in the catalogue"),
    ("kubernetes/ownership/traces", "the name of a product in the catalogue is compared with an API group"),
    ("report/sentence", "it defines what a sentence is"),
    ("transport/connect", "the words are those of the library for TLS"),
];

/// The places where a file reads its own sentences.
#[derive(Default)]
struct WordsRead(Vec<(String, usize)>);

impl WordsRead {
    fn in_source(text: &str) -> Self {
        let mut read = Self::default();
        read.visit_file(&syn::parse_file(text).expect("the source is Rust"));
        read
    }
}

impl<'a> Visit<'a> for WordsRead {
    fn visit_item(&mut self, item: &'a Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !attributes.iter().any(is_for_tests) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'a ImplItem) {
        let for_tests = matches!(item, ImplItem::Fn(item) if item.attrs.iter().any(is_for_tests));
        if !for_tests {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        let name = call.method.to_string();
        let finds = FIND_WORDS.contains(&name.as_str()) || FIND_IN_ANYTHING.contains(&name.as_str());
        let mut texts = std::iter::once(&*call.receiver).chain(&call.args);
        if finds && texts.any(|text| is_prose(text, &FIELDS)) {
            self.0.push((name, call.method.span().start().line));
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_binary(&mut self, compared: &'a ExprBinary) {
        let line = match &compared.op {
            BinOp::Eq(op) => op.spans[0].start().line,
            BinOp::Ne(op) => op.spans[0].start().line,
            _ => return visit::visit_expr_binary(self, compared),
        };
        if [&compared.left, &compared.right].into_iter().any(|side| is_prose(side, &COMPARED)) {
            self.0.push(("==".to_owned(), line));
        }
        visit::visit_expr_binary(self, compared);
    }

    fn visit_macro(&mut self, given: &'a Macro) {
        let arguments = syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated;
        for argument in given.parse_body_with(arguments).into_iter().flatten() {
            <Self as Visit<'_>>::visit_expr(self, &argument);
        }
    }
}

/// Whether an expression is one of these fields, or a variable with a sentence, perhaps in another form.
fn is_prose(text: &Expr, fields: &[&str]) -> bool {
    match text {
        Expr::Field(of) => matches!(&of.member, Member::Named(name) if fields.iter().any(|field| name == field)),
        Expr::Path(of) => of.path.get_ident().is_some_and(|name| {
            VARIABLES.iter().any(|known| name == known) && fields.iter().any(|field| name == field)
        }),
        Expr::Reference(of) => is_prose(&of.expr, fields),
        Expr::Unary(of) => is_prose(&of.expr, fields),
        Expr::Paren(of) => is_prose(&of.expr, fields),
        Expr::Try(of) => is_prose(&of.expr, fields),
        Expr::MethodCall(call) => is_prose(&call.receiver, fields) && is_form(&call.method.to_string()),
        _ => false,
    }
}

/// Whether a method gives the same text in another form.
fn is_form(method: &str) -> bool {
    ["as_deref", "as_ref", "as_str", "clone", "to_lowercase", "to_owned", "to_string", "trim"].contains(&method)
}

#[test]
fn nothing_below_the_screens_reads_a_sentence() {
    let screen = ROOMS.iter().position(|room| *room == "screen").expect("the room of screens");
    let below: BTreeSet<&str> = ROOMS.into_iter().skip(screen + 1).collect();
    let house = House::read();
    let (mut wrong, mut used) = (Vec::new(), BTreeSet::new());
    for (module, file) in house.0.iter().filter(|(module, _)| below.contains(module[0].as_str())) {
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file.path));
        let read = WordsRead::in_source(&text.expect("the source is text")).0;
        let name = module.join("/");
        match ALLOWED.iter().find(|(known, _)| *known == name) {
            Some((known, _)) if !read.is_empty() => drop(used.insert(*known)),
            _ => wrong.extend(read.iter().map(|(how, line)| format!("{}:{line} {how}", file.path.display()))),
        }
    }
    assert!(wrong.is_empty(), "these read a sentence; set a field where the sentence is made:\n{}", wrong.join("\n"));
    let unused: Vec<&str> = ALLOWED.iter().map(|(name, _)| *name).filter(|name| !used.contains(name)).collect();
    assert!(unused.is_empty(), "these read no sentence any more: {unused:?}");
}

#[test]
fn reading_a_sentence_is_detected() {
    let lines = |body: &str| WordsRead::in_source(&format!("fn f() {{ {body} }}")).0.len();
    for body in [
        "grant.via.contains(\" system:\");",
        "entry.guards.contains(\"drain\");",
        "self.what.rsplit_once(\": \");",
        "remedy.title.to_string().starts_with(FIX);",
        "let why = why.strip_prefix(\"it \");",
        "known.ends_with(&why.to_string());",
        "names.iter().find(|name| name.text == *text);",
        "assert!(title != finding.summary);",
    ] {
        assert_eq!(lines(body), 1, "{body}");
    }
    for body in [
        "line.contains(\"x\");",
        "format!(\"{}\", remedy.title);",
        "object.text(\"/spec/a\") == Some(\"x\");",
        "owner.controller == Some(true);",
        "finding.why == Why::Proven;",
        "reports.iter().find(|it| it.evidence.is_empty());",
    ] {
        assert_eq!(lines(body), 0, "{body}");
    }
}
