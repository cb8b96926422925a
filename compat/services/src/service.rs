//! The form of namespaces whose members all take the event's input as it is.

/// Declares a service trait (every member rejects until a host says otherwise) and the way of a call to it. The module
/// has an `admit` function that checks arguments and asks the execution gate.
macro_rules! service {
    ($(#[$doc:meta])* $service:ident as $namespace:literal { $($(#[$member_doc:meta])* $member:ident;)* }) => {
        $(#[$doc])*
        ///
        /// `input` is the event's input object. Dropping a returned future aborts the call.
        #[async_trait::async_trait]
        pub trait $service: Send + Sync {
            /// The members served.
            fn members(&self) -> &'static [&'static str];
            $(
                $(#[$member_doc])*
                async fn $member(&self, caller: &$crate::Caller, input: &modgate_value::Value) -> $crate::Answer {
                    let _ = (caller, input);
                    Err($crate::ServiceError::no_implementation(concat!($namespace, ".", stringify!($member))))
                }
            )*
        }

        pub(crate) async fn dispatch(
            service: &dyn $service,
            context: &$crate::context::Context,
            method: &str,
            input: &modgate_value::Value,
        ) -> $crate::Answer {
            admit(context, method, &$crate::input::Args::new(&context.call, input))?;
            match method {
                $(stringify!($member) => service.$member(&context.caller, input).await,)*
                _ => Err($crate::ServiceError::no_implementation(&context.call)),
            }
        }
    };
}
pub(crate) use service;
