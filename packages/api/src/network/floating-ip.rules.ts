/** Why a requested address is refused, in the API's words (control plane reference, B 15.2). */
export const ipNotAvailable = 'Requested external IP address not available'
