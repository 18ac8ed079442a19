package io.seqsvr.core.session;

/** A change of a role's state that an operator wants to read. */
public interface RoleEvent {}
