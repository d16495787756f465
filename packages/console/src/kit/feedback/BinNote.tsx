import type { ReactNode } from 'react'
import { classes } from '#/ui/classes.ts'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { plural } from '#/ui/data/format.ts'

interface Props {
  /** For how long the silo keeps what is deleted; 0 if it does not, undefined until known. */
  hours: number | undefined
  /** What is lost if it is not kept. */
  gone: ReactNode
  isSeveral: boolean
  isForGood: boolean
  onChange: (isForGood: boolean) => void
}

/** Below a question before a deletion: whether what is deleted can be restored, and the choice that it cannot. */
export function BinNote({ hours, gone, isSeveral, isForGood, onChange }: Props) {
  if (hours === 0) return <p>{gone}</p>
  return (
    // Keeps its room until the answer is there, so that the buttons do not move.
    <div className={classes('grid gap-2', hours === undefined && 'invisible')}>
      <p>
        {isForGood
          ? gone
          : `${isSeveral ? 'They' : 'It'} can be restored from the recycle bin for ${keptFor(hours ?? 24)}.`}
      </p>
      <Checkbox checked={isForGood} onChange={({ target }) => onChange(target.checked)}>
        Delete for good at once
      </Checkbox>
    </div>
  )
}

/** `24 hours`, `7 days`. */
export function keptFor(hours: number): string {
  const isDays = hours % 24 === 0 && hours > 24
  const count = isDays ? hours / 24 : hours
  return `${count} ${plural(isDays ? 'day' : 'hour', count)}`
}
