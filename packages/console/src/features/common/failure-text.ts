import type { Failure } from '#/data/failure.ts'

/** Messages that the API fixes for clients to match on, and whose help says the same in plain words and numbers. */
const fixedMessage = /^Insufficient capacity: \w+ Limit Exceeded: /

/** What went wrong, and what to do about it where the server knows and has not said it in the message already. */
export function failureText({ message, help }: Pick<Failure, 'message' | 'help'>): string {
  if (!help || message.includes(help)) return message
  if (fixedMessage.test(message)) return help
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} ${help}`
}
