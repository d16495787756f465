import { type FormEvent, useId, useState } from 'react'
import { Button } from '#/ui/Button.tsx'
import { Dialog } from '#/ui/Dialog.tsx'
import { Field } from '#/ui/Field.tsx'
import { TextInput } from '#/ui/TextInput.tsx'
import { nameMax, type queryRecords, savedMax } from './query-records.ts'

type Records = ReturnType<typeof queryRecords>

interface SaveProps {
  query: string
  records: Records
  onClose: () => void
}

const refusals = {
  full: `This browser keeps at most ${savedMax} queries. Delete one under Queries first.`,
  forbidden: 'This browser does not let the console save anything.',
}

/** Asks for the name under which this browser keeps a query. */
export function SaveQuery({ query, records, onClose }: SaveProps) {
  const form = useId()
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const isTaken = records.saved().some((each) => each.name === name.trim())
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return setError('Enter a name.')
    const result = records.save({ name: name.trim(), query })
    if (result === 'saved') onClose()
    else setError(refusals[result])
  }
  return (
    <Dialog
      title="Save query"
      width="narrow"
      onRequestClose={onClose}
      footer={
        <Button kind="primary" type="submit" form={form}>
          {isTaken ? 'Replace' : 'Save'}
        </Button>
      }
    >
      <form id={form} onSubmit={save}>
        <Field label="Name" hint="Saved in this browser, for your user." error={error}>
          <TextInput
            value={name}
            maxLength={nameMax}
            onChange={(event) => {
              setName(event.target.value)
              setError(undefined)
            }}
          />
        </Field>
      </form>
    </Dialog>
  )
}

interface QueriesProps {
  records: Records
  onOpen: (query: string) => void
  onClose: () => void
}

/** The queries that were saved, and those that were run last. */
export function Queries({ records, onOpen, onClose }: QueriesProps) {
  const [saved, setSaved] = useState(records.saved)
  const history = records.history()
  return (
    <Dialog title="Queries" width="free" onRequestClose={onClose}>
      <h3 className="text-base">Saved</h3>
      {saved.length === 0 && <p className="text-muted">You have saved no queries in this browser.</p>}
      <ul>
        {saved.map(({ name, query }) => (
          <li key={name} className="flex items-center gap-2 border-t border-faint-line py-1.5">
            <QueryLine name={name} query={query} onOpen={onOpen} />
            <Button
              kind="quiet"
              aria-label={`Delete ${name}`}
              onClick={() => {
                records.remove(name)
                setSaved(records.saved())
              }}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
      <h3 className="mt-4 text-base">Run before</h3>
      {history.length === 0 && <p className="text-muted">The last 20 queries that you run appear here.</p>}
      <ul>
        {history.map((query) => (
          <li key={query} className="flex border-t border-faint-line py-1.5">
            <QueryLine query={query} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

interface LineProps {
  name?: string
  query: string
  onOpen: (query: string) => void
}

const QueryLine = ({ name, query, onOpen }: LineProps) => (
  <button
    type="button"
    className="wash min-w-0 grow rounded-control px-2 py-1 text-left"
    onClick={() => onOpen(query)}
  >
    {name && <span className="block font-medium text-strong">{name}</span>}
    <span className="line-clamp-2 font-mono text-xs wrap-anywhere text-muted">{query}</span>
  </button>
)
