import { useState } from 'react'
import { Button } from '#/ui/Button.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'

interface Props {
  at: Date | undefined
  /** The latest moment that can be selected. */
  now: Date
  onChoose: (at: Date) => void
}

const offeredMs = 3_600_000

/** Asks for a date and a time of the reader's zone. */
export function MomentForm({ at, now, onChoose }: Props) {
  const [text, setText] = useState(() => inputText(at ?? new Date(now.getTime() - offeredMs)))
  const moment = new Date(text)
  const problem = Number.isNaN(moment.getTime())
    ? 'Enter a date and a time'
    : moment > now
      ? 'Enter a moment that has passed'
      : undefined
  return (
    <form
      className="mb-4 flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (!problem) onChoose(moment)
      }}
    >
      <div className="w-60 max-sm:w-full">
        <Field label="Date and time" error={problem}>
          <TextInput
            type="datetime-local"
            step={1}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
      </div>
      <Button type="submit" kind={at ? 'default' : 'primary'} disabledReason={problem}>
        Show
      </Button>
    </form>
  )
}

/** As the input takes it: local, to the second. */
function inputText(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19)
}
