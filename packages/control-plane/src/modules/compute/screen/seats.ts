import { keyboardAnswerSeconds, type KeyboardWord, type ScreenSeats } from '@gantry/api/compute/screen.rules'

/** A viewer of a screen. */
export interface Seat {
  id: string
  name: string
  time_joined: Date
  has_keyboard: boolean
  /** Since when it asks for the keyboard. */
  time_asked: Date | null
}

/** The seats after one of the viewers has said this. Others' seats change only by who is at the keyboard. */
export function said(seats: readonly Seat[], id: string, word: KeyboardWord, now: Date): Seat[] {
  const isHolder = holderOf(seats)?.id === id
  return seats.map((seat) => {
    const isOwn = seat.id === id
    if (word === 'ask') return isOwn && !isHolder ? { ...seat, time_asked: seat.time_asked ?? now } : seat
    if (word === 'release') return isOwn ? { ...seat, has_keyboard: false, time_asked: null } : seat
    if (!isHolder) return seat
    if (word === 'keep') return { ...seat, time_asked: null }
    return isOwn && askerOf(seats) ? { ...seat, has_keyboard: false } : seat
  })
}

/** The seats with the keyboard where it belongs: with who asked, once it is free or the question stayed unanswered. */
export function settled(seats: readonly Seat[], now: Date): Seat[] {
  const holder = holderOf(seats)
  const asker = askerOf(seats)
  if (!asker?.time_asked) return [...seats]
  const waited = now.getTime() - asker.time_asked.getTime()
  if (holder && waited < keyboardAnswerSeconds * 1000) return [...seats]
  return seats.map((seat) =>
    seat === asker ? { ...seat, has_keyboard: true, time_asked: null } : { ...seat, has_keyboard: false },
  )
}

/** What a viewer is told of the seats. */
export function shownSeats(seats: readonly Seat[], you: string, now: Date): ScreenSeats {
  const asker = askerOf(seats)
  const waited = asker?.time_asked ? now.getTime() - asker.time_asked.getTime() : 0
  return {
    you,
    viewers: [...seats]
      .sort((a, b) => a.time_joined.getTime() - b.time_joined.getTime() || (a.id < b.id ? -1 : 1))
      .map(({ id, name }) => ({ id, name })),
    keyboard: holderOf(seats)?.id ?? null,
    asking: asker?.id ?? null,
    seconds: asker
      ? Math.max(0, Math.min(keyboardAnswerSeconds, keyboardAnswerSeconds - Math.floor(waited / 1000)))
      : 0,
  }
}

const holderOf = (seats: readonly Seat[]): Seat | undefined => seats.find((seat) => seat.has_keyboard)

/** Who has asked for longest. */
const askerOf = (seats: readonly Seat[]): Seat | undefined =>
  seats
    .filter(({ has_keyboard, time_asked }) => !has_keyboard && time_asked !== null)
    .sort((a, b) => (a.time_asked?.getTime() ?? 0) - (b.time_asked?.getTime() ?? 0))[0]
