/**
 * Marks responses of a server that is still starting: it has not read the request, which may be sent again.
 */
export const startingHeader = 'x-gantry-starting'
/** Seconds until a retry makes sense. */
export const startingRetrySeconds = 1
export const startingWords = 'Gantry is starting.'
