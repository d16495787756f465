import { truncate } from './format.ts'
import { Tooltip } from '../overlays/Tooltip.tsx'

type Props = { text: string; max: number; at?: 'end' | 'middle' }

/** Truncated text; tooltip and screen readers have all of it. */
export function Truncate({ text, max, at = 'end' }: Props) {
  const shown = truncate(text, max, at)
  if (shown === text) return <span>{text}</span>
  return (
    <Tooltip content={text} describes={false}>
      <span>
        <span aria-hidden>{shown}</span>
        <span className="sr-only">{text}</span>
      </span>
    </Tooltip>
  )
}

/** The dash of an empty cell. */
export function EmptyCell() {
  return <span className="text-faint">—</span>
}
