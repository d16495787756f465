import { keyboardAnswerSeconds, type KeyboardWord, type ScreenSeats } from '@gantry/api/compute/screen.rules'
import type { ReactNode } from 'react'
import { Button } from '#/ui/Button.tsx'
import { namesOf } from './viewer-names.ts'

interface Props {
  seats: ScreenSeats
  /** Goes back to the picture. */
  onDone: () => void
  say: (word: KeyboardWord) => void
}

/** Who is at the keyboard, who watches, and how to change that. */
export function ScreenSeatsBar({ seats, say, onDone }: Props) {
  const { you, keyboard, asking } = seats
  const nameOf = (id: string | null) => seats.viewers.find((viewer) => viewer.id === id)?.name ?? 'Somebody'
  const watching = namesOf(seats)
  const act = (word: KeyboardWord) => () => {
    say(word)
    onDone()
  }
  const words = (): [text: ReactNode, action: ReactNode] => {
    if (keyboard === you)
      return [
        <span key="text" className="text-strong">
          You have the keyboard.
        </span>,
        <Button key="action" onClick={act('release')}>
          View only
        </Button>,
      ]
    if (asking === you)
      return [
        <span key="text">
          You asked {nameOf(keyboard)} for the keyboard. Without an answer it is yours after{' '}
          {keyboardAnswerSeconds} seconds.
        </span>,
        <Button key="action" onClick={act('release')}>
          Stop asking
        </Button>,
      ]
    if (keyboard === null)
      return [
        'Nobody has the keyboard.',
        <Button key="action" onClick={act('ask')}>
          Take the keyboard
        </Button>,
      ]
    return [
      `${nameOf(keyboard)} has the keyboard.`,
      <Button key="action" onClick={act('ask')}>
        Ask for the keyboard
      </Button>,
    ]
  }
  const [text, action] = words()
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 text-sm">
      <span role="status" className="min-w-0 wrap-anywhere text-muted">
        {text} {watching}
      </span>
      {action}
    </div>
  )
}

/** Asks the viewer at the keyboard whether another one may have it. */
export function KeyboardQuestion({ seats, say, onDone }: Props) {
  const asker = seats.viewers.find(({ id }) => id === seats.asking)
  if (seats.keyboard !== seats.you || !asker) return null
  const answer = (word: KeyboardWord) => () => {
    say(word)
    onDone()
  }
  return (
    <div
      role="alert"
      className="absolute inset-x-3 bottom-3 mx-auto flex w-fit flex-wrap items-center justify-center gap-2 rounded-block border border-term-line bg-term-bg px-4 py-3 text-sm text-term-text"
    >
      <span className="wrap-anywhere">
        {asker.name} asks for the keyboard, and gets it in {seats.seconds} seconds without an answer.
      </span>
      <Button onClick={answer('keep')}>Keep</Button>
      <Button kind="primary" onClick={answer('hand over')}>
        Hand over
      </Button>
    </div>
  )
}
