import type { RunState } from './instance.rules.ts'
import { instanceAllows } from './instance.rules.ts'
import { allows } from '../base/state.rules.ts'

/*
 * The screen of an instance is one WebSocket of binary messages. The first byte of each says what follows it: bytes of
 * the conversation in RFB (RFC 6143) with the machine, or words about who is at the keyboard. Many may watch; what is
 * typed and clicked counts from one of them only.
 */

/** The first byte of each message. */
export const screenChannels = { rfb: 0, keyboard: 1 } as const

/** What a viewer may send about the keyboard, as plain text. */
export const keyboardWords = ['ask', 'hand over', 'keep', 'release'] as const
export type KeyboardWord = (typeof keyboardWords)[number]

/** How long the holder of the keyboard may leave a question unanswered before it goes to who asked. */
export const keyboardAnswerSeconds = 20

/** Each viewer is one more picture that the machine's host encodes. */
export const screenViewersMax = 16

/** What the server sends about the keyboard whenever it changes, as JSON. */
export interface ScreenSeats {
  /** The id of this viewer. */
  you: string
  /** In the order of their arrival. */
  viewers: { id: string; name: string }[]
  /** Who is at the keyboard, if anybody. */
  keyboard: string | null
  /** The viewer who wants it. */
  asking: string | null
  /** How long the holder has left to answer. */
  seconds: number
}

/** Why an instance in this state has no screen to show. */
export function whyNoScreen(state: RunState): string | undefined {
  return allows(instanceAllows, 'serialConsole', state) ? undefined : `instance is ${state} and has no screen`
}

/** For a machine that was started before machines had screens. */
export const startedWithoutScreen =
  'This machine was started without a screen. Stop the instance and start it again.'
