/** Messages that the API fixes for clients to match. Their advice says the same in plain words, with numbers. */
const fixedMessage = /^Insufficient capacity: \w+ Limit Exceeded: /

/** What a user reads of a refusal: its message, and the advice where the message does not contain it. */
export function withAdvice(message: string, advice: string | undefined): string {
  if (!advice || message.includes(advice)) return message
  if (fixedMessage.test(message)) return advice
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} ${advice}`
}
