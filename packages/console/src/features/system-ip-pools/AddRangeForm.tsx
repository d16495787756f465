import { unreachableProblem } from '@gantry/api/network/ip-pool.rules'
import { useWatch } from 'react-hook-form'
import { TextField } from '#/kit/forms/fields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import type { Send } from '#/data/client.ts'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { rangeText, type RangeValues } from './range-text.ts'
import { addressProblem, rangeCheck, rangeOf } from './range-values.ts'

interface Props {
  pool: string
  /** The page of the pool. */
  closeTo: LinkTarget
  add: (range: RangeValues, send?: Send) => Promise<unknown>
  /** Whether it can say first what it would do. */
  isReviewable?: boolean
}

/** Adds a range to a pool, or to the service pool. */
export function AddRangeForm({ pool, closeTo, add, isReviewable = false }: Props) {
  return (
    <SideForm
      title="Add IP range"
      pendingLabel="Adding IP range"
      context={`To IP pool ${pool}`}
      initial={{ first: '', last: '' }}
      check={rangeCheck}
      save={async (values: RangeValues, send) => {
        const range = rangeOf(values)
        await add(range, send)
        return range
      }}
      reviewable={isReviewable}
      saved={(range) => successMessage('IP range', rangeText(range), 'added')}
      closeTo={closeTo}
      disabled={useWhyNotOnFleet()}
    >
      <Note>
        IPv4 or IPv6, both ends included. Ranges of all pools must not overlap. Instances and floating IPs
        take IPv4 addresses.
      </Note>
      <TextField name="first" mono problem={addressProblem} hint="First address of the range" />
      <TextField name="last" mono problem={addressProblem} hint="Last address of the range" />
      <UnreachableNote />
    </SideForm>
  )
}

/** Refused for real machines, which the server knows, and a mistake for simulated ones too. */
function UnreachableNote() {
  const [first, last] = useWatch<RangeValues, ['first', 'last']>({ name: ['first', 'last'] })
  const problem = unreachableProblem(first, last)
  return <div role="status">{problem && <Note kind="busy">{problem}.</Note>}</div>
}
