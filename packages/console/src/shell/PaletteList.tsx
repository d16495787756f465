import ChevronRight from 'lucide-react/icons/chevron-right'
import { Fragment, useEffect, useRef } from 'react'
import { classes } from '#/ui/classes.ts'
import type { Result } from './palette-results.ts'

interface Props {
  id: string
  results: readonly Result[]
  selected: number
  onChoose: (index: number) => void
  onRun: (result: Result) => void
  /** Opens the menu of the object. */
  onAct: (result: Result) => void
}

/** The results under their headings. Focus stays in the search field, which references the selected one. */
export function PaletteList({ id, results, selected, onChoose, onRun, onAct }: Props) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })

  if (results.length === 0) {
    return (
      <p role="status" className="px-4 py-5 text-muted">
        Nothing matches
      </p>
    )
  }
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Results"
      className="max-h-96 scroll-py-8 overflow-y-auto pb-1.5"
    >
      {results.map((result, index) => {
        const group = result.group ?? 'Actions'
        const isFirst = group !== (results[index - 1]?.group ?? (index > 0 ? 'Actions' : undefined))
        return (
          <Fragment key={`${group} ${result.label} ${result.hint ?? ''}`}>
            {isFirst && (
              <div
                role="presentation"
                className="sticky top-0 bg-float px-4 pt-2.5 pb-1 text-xs font-medium wrap-anywhere text-muted"
              >
                {group}
              </div>
            )}
            <div
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === selected}
              tabIndex={-1}
              className={classes(
                'relative mx-1.5 flex h-9 items-center gap-2.5 rounded-control px-2.5 text-strong coarse:h-11',
                index === selected && 'bg-selected',
              )}
              onPointerMove={() => index !== selected && onChoose(index)}
              onClick={() => onRun(result)}
              onKeyDown={(event) => event.key === 'Enter' && onRun(result)}
            >
              {index === selected && (
                <span
                  data-current-edge
                  className="absolute inset-y-0 left-0 w-[3px] rounded-l-control bg-accent-edge"
                />
              )}
              {result.icon && (
                <result.icon aria-hidden strokeWidth={1.75} className="size-4 shrink-0 text-muted" />
              )}
              <span className="truncate">
                <Marked text={result.label} at={result.at} />
              </span>
              {result.hint && (
                <span className="ml-auto max-w-1/2 shrink-0 truncate text-sm text-muted">{result.hint}</span>
              )}
              {result.actions && index === selected && (
                // Out of the way of keyboards and screen readers, which have the arrow key: an option has no controls.
                <span
                  aria-hidden
                  className="wash grid size-6 shrink-0 place-items-center rounded-control text-muted coarse:size-11"
                  onClick={(event) => {
                    event.stopPropagation()
                    onAct(result)
                  }}
                >
                  <ChevronRight className="size-4" />
                </span>
              )}
            </div>
          </Fragment>
        )
      })}
    </div>
  )
}

/** The matched letters, bold and underlined. */
function Marked({ text, at }: { text: string; at: readonly number[] }) {
  const marked = new Set(at)
  const runs = Array.from(text).reduce<{ text: string; isMarked: boolean; from: number }[]>(
    (all, letter, index) => {
      const isMarked = marked.has(index)
      const last = all.at(-1)
      if (last?.isMarked === isMarked) last.text += letter
      else all.push({ text: letter, isMarked, from: index })
      return all
    },
    [],
  )
  return runs.map((run) =>
    run.isMarked ? (
      <mark
        key={run.from}
        className="bg-transparent font-bold text-inherit underline decoration-accent-edge decoration-2 underline-offset-[0.2em]"
      >
        {run.text}
      </mark>
    ) : (
      run.text
    ),
  )
}
