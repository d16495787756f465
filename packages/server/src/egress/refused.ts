/** A request that is not made, as the sentence that whoever wanted it may read. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused'
}

/**
 * A request that came to nothing. Why is for the operator's log alone: told to whoever chose the address, it would say
 * which ports are open and what answers there.
 */
export class EgressFailed extends Error {
  override readonly name = 'EgressFailed'
}
