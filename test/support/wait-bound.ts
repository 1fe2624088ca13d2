/** Time after which a state that must come counts as absent: a bound on hanging, far above what a slow machine needs. */
export const waitMsMax = 90_000;

/** The same in fault tests, which run beside each other and whose states need many steps. */
export const faultWaitMsMax = 300_000;
