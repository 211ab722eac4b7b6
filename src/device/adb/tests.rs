
//! The client against a scripted server.
