import { NumberField } from '#/kit/forms/choice-fields.tsx'
import { wholeNumberProblem } from '#/kit/forms/whole-number.ts'
import { GiB } from '@gantry/api/base/bytes.rules'
import { bytesToGib } from '#/ui/data/format-amounts.ts'
import type { Amounts } from './queries.ts'

/** In the form's units: vCPUs, and GiB of memory and storage; null while a field is empty. */
export interface QuotaValues {
  cpus: number | null
  memory: number | null
  storage: number | null
}

const required = (label: string) => (value: number | null) =>
  value === null ? `${label} is required` : undefined

/**
 * The values `cpus`, `memory` and `storage` of the form. `suffix` distinguishes them from other fields: `CPU quota`.
 */
export function QuotaFields({ suffix = '' }: { suffix?: string }) {
  return (
    <>
      <NumberField
        name="cpus"
        label={`CPU${suffix}`}
        unit="vCPUs"
        problem={(count) => wholeNumberProblem(count, `CPU${suffix}`)}
      />
      <NumberField
        name="memory"
        label={`Memory${suffix}`}
        unit="GiB"
        decimals
        problem={required(`Memory${suffix}`)}
      />
      <NumberField
        name="storage"
        label={`Storage${suffix}`}
        unit="GiB"
        decimals
        problem={required(`Storage${suffix}`)}
      />
    </>
  )
}

export const quotaBody = ({ cpus, memory, storage }: QuotaValues): Amounts => ({
  cpus: cpus ?? 0,
  memory: Math.round((memory ?? 0) * GiB),
  storage: Math.round((storage ?? 0) * GiB),
})

export const quotaValues = ({ cpus, memory, storage }: Amounts): QuotaValues => ({
  cpus,
  memory: bytesToGib(memory),
  storage: bytesToGib(storage),
})
