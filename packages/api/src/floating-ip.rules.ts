/** Why an address that was asked for is refused, in the words of the API (control plane reference, B 15.2). */
export const ipNotAvailable = 'Requested external IP address not available'
