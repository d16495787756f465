import { userCodeDashAfter } from '@gantry/api/people/device.rules'
import { Fragment, useRef } from 'react'
import { classes } from '#/ui/classes.ts'
import { inputClass } from '#/ui/inputs/Field.tsx'
import { type Boxes, paste, spread, typedInto } from './user-code.ts'

interface Props {
  boxes: Boxes
  onChange: (boxes: Boxes) => void
  invalid: boolean
}

/** Input for a code on another screen, with a box per letter to show progress. */
export function CodeBoxes({ boxes, onChange, invalid }: Props) {
  const inputs = useRef<(HTMLInputElement | null)[]>([])
  const focus = (index: number): void =>
    inputs.current[Math.max(0, Math.min(index, boxes.length - 1))]?.focus()

  function put({ boxes: filled, next }: { boxes: Boxes; next: number }): void {
    onChange(filled)
    focus(next)
  }

  function onKeyDown(event: React.KeyboardEvent, index: number): void {
    if (event.key === 'ArrowLeft') focus(index - 1)
    else if (event.key === 'ArrowRight') focus(index + 1)
    else if (event.key === 'Backspace') {
      const at = boxes[index] ? index : index - 1
      onChange(boxes.map((box, each) => (each === at ? '' : box)))
      focus(at)
    } else return
    event.preventDefault()
  }

  return (
    <div role="group" aria-label="Code" className="flex items-center gap-1 sm:gap-1.5">
      {boxes.map((box, index) => (
        // A box is identified by its position.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>
          {index === userCodeDashAfter && (
            <span aria-hidden className="text-muted">
              –
            </span>
          )}
          <input
            ref={(input) => {
              inputs.current[index] = input
            }}
            // The code is the page's only input.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus={index === 0}
            aria-label={`Character ${index + 1}.`}
            aria-invalid={invalid || undefined}
            type="text"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            data-1p-ignore
            data-lpignore="true"
            value={box}
            onChange={(event) => put(spread(boxes, index, typedInto(box, event.target.value)))}
            onPaste={(event) => {
              event.preventDefault()
              put(paste(boxes, index, event.clipboardData.getData('text')))
            }}
            onKeyDown={(event) => onKeyDown(event, index)}
            onFocus={(event) => event.target.select()}
            className={classes(inputClass, 'px-0! text-center font-mono text-md')}
          />
        </Fragment>
      ))}
    </div>
  )
}
