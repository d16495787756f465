import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { useOp } from '#/data/use-op.ts'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { formatSeries } from '#/ui/data/format-amounts.ts'
import { type Amounts, siloAt, siloQuotas, siloUtilization } from '../queries.ts'
import { quotaBody, QuotaFields, type QuotaValues, quotaValues } from '../QuotaFields.tsx'

/** Changes the quotas of a silo, without overwriting another operator's concurrent change. */
export function EditQuotas({ silo, onClose }: { silo: string; onClose: () => void }) {
  const view = siloQuotas(silo)
  // Forgotten when the form closes: nothing else keeps them up to date.
  const { data: quotas } = useSuspenseQuery({ ...view, gcTime: 0 })
  const current = quotaValues(quotas)
  const update = useOp(op.siloQuotasUpdate, { sees: view })
  return (
    <SideForm
      title="Edit quotas"
      submitLabel="Update quotas"
      pendingLabel="Updating quotas"
      context={`In silo ${silo}`}
      initial={current}
      save={(values, send) => update.run({ ...siloAt(silo), body: changedQuotas(current, values) }, send)}
      reviewable
      saved={() => 'Quotas updated'}
      closeTo={onClose}
    >
      <Note>A quota below current use is allowed. It blocks further provisioning.</Note>
      <QuotaFields />
      <BelowUse silo={silo} />
    </SideForm>
  )
}

/** Those that differ from what the server has. The others are rounded in the form and would replace exact ones. */
function changedQuotas(current: QuotaValues, values: QuotaValues): Partial<Amounts> {
  const body = quotaBody(values)
  return Object.fromEntries(
    resources.flatMap(([key]) => (values[key] === current[key] ? [] : [[key, body[key]]])),
  )
}

const resources = [
  ['cpus', 'CPU'],
  ['memory', 'Memory'],
  ['storage', 'Storage'],
] as const

/** Names every quota below the provisioned amount. */
function BelowUse({ silo }: { silo: string }) {
  const { data } = useSuspenseQuery(siloUtilization(silo))
  const [cpus, memory, storage] = useWatch<QuotaValues, ['cpus', 'memory', 'storage']>({
    name: ['cpus', 'memory', 'storage'],
  })
  const entered: QuotaValues = { cpus, memory, storage }
  const wanted = quotaBody(entered)
  const below = resources
    .filter(([key]) => entered[key] !== null && wanted[key] < data.provisioned[key])
    .map(([, label]) => label)
  return (
    <div role="status">
      {below.length > 0 && (
        <Note kind="busy">
          {formatSeries(below)}: the silo uses more than this quota already. It can provision no more until it
          uses less.
        </Note>
      )}
    </div>
  )
}
