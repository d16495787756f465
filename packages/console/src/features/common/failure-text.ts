import type { Failure } from '../../data/failure.ts'

/** What went wrong, and what to do about it where the server knows and has not said it in the message already. */
export function failureText({ message, help }: Pick<Failure, 'message' | 'help'>): string {
  if (!help || message.includes(help)) return message
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} ${help}`
}
