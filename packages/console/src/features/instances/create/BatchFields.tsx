import * as op from '@gantry/api/client/operations.gen'
import { namesOf, patternOf } from '@gantry/api/compute/instance-batch.rules'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useFormContext, useWatch } from 'react-hook-form'
import { opQuery } from '#/data/queries.ts'
import { NumberField } from '#/kit/forms/choice-fields.tsx'
import { useDebounced } from '#/kit/inputs/use-debounced.ts'
import { Button } from '#/ui/Button.tsx'
import { formatCount, formatSeries } from '#/ui/data/format-amounts.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { firstOf, firstProblem, nameOrPatternProblem, whyNotMany } from './batch-body.ts'
import { countOf, type InstanceValues } from './values.ts'

/** Names shown of a long series, at its beginning. */
const shownNames = 4
/** Names in a sentence. */
const toldNames = 3

/** The numbers and names of several new instances, and what they cannot have. */
export function BatchFields({ project }: { project: string }) {
  const values = useWatch<InstanceValues>() as InstanceValues
  const count = countOf(values)
  const pattern = nameOrPatternProblem(values.name, values) === undefined ? patternOf(values.name) : undefined
  const reasons = whyNotMany(values)
  return (
    <>
      <NumberField
        name="first"
        label="First number"
        min={0}
        problem={(first) => firstProblem(first, values.count)}
      />
      {pattern !== undefined && (
        <>
          <Names names={namesOf(pattern, firstOf(values), count)} />
          <TakenNames project={project} pattern={pattern} first={firstOf(values)} count={count} />
        </>
      )}
      {reasons.length > 0 && (
        <Note kind="busy" title={`${formatCount(count, 'instance')} cannot have all of this`}>
          <ul className="list-disc pl-5">
            {reasons.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </Note>
      )}
      <Note>
        Each instance is created on its own, with its own disks, addresses and the same tags. If one is
        refused, the others are still created. The task tells the result of each, and can repeat those that
        failed.
      </Note>
    </>
  )
}

function Names({ names }: { names: readonly string[] }) {
  const last = names.at(-1)
  const isLong = names.length > shownNames + 1
  return (
    <div className="text-sm">
      <h3 className="mb-1 text-base font-medium">Names</h3>
      <p role="status" className="font-mono text-[0.8125rem] wrap-anywhere text-strong">
        {isLong ? `${names.slice(0, shownNames).join(', ')}, … ${last}` : names.join(', ')}
      </p>
    </div>
  )
}

interface TakenProps {
  project: string
  pattern: string
  first: number
  count: number
}

/** Which of the names exist, with the offer to continue after them. */
function TakenNames({ project, pattern, first, count }: TakenProps) {
  const { setValue } = useFormContext<InstanceValues>()
  const namePattern = useDebounced(pattern, 300)
  const { data } = useQuery({
    ...opQuery(op.instanceBatchNames, { query: { project, namePattern, first, count } }),
    placeholderData: keepPreviousData,
  })
  if (!data || namePattern !== pattern || data.taken.length === 0) return null
  const { taken, next } = data
  const more = taken.length - toldNames
  const told = more > 1 ? [...taken.slice(0, toldNames), `${formatNumber(more)} more`] : taken
  return (
    <Note
      kind="busy"
      title={`${formatSeries(told)} ${taken.length === 1 ? 'exists' : 'exist'} already`}
      action={
        next !== null && (
          <Button onClick={() => setValue('first', next, { shouldDirty: true, shouldValidate: true })}>
            Continue with {next}
          </Button>
        )
      }
    >
      {taken.length === 1 ? 'It' : 'They'} would be refused, and the others created.
    </Note>
  )
}
