/** A request that is refused, with a message for the user who caused it. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused'
}

/**
 * A request that failed. Of reads, the reason is only for the operator's log: it would tell the user who chose the URL
 * which ports are open and what answers there. Webhooks store it for those who may read the fleet.
 */
export class EgressFailed extends Error {
  override readonly name = 'EgressFailed'
}
