import type { Failure } from '#/data/failure.ts'

/** Messages that the API fixes for clients to match. Their help text says the same in plain words, with numbers. */
const fixedMessage = /^Insufficient capacity: \w+ Limit Exceeded: /

/** The failure, and the server's advice where the message does not contain it. */
export function failureText({ message, help }: Pick<Failure, 'message' | 'help'>): string {
  if (!help || message.includes(help)) return message
  if (fixedMessage.test(message)) return help
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} ${help}`
}
