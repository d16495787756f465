import * as op from '@gantry/api/client/operations.gen'
import { type Meter, meters, meterWords, usageLimits } from '@gantry/api/usage/usage.rules'
import { useQuery } from '@tanstack/react-query'
import { useOp } from '#/data/use-op.ts'
import { NumberField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { TextField } from '#/kit/forms/fields.tsx'
import { usagePrices } from './queries.ts'

/** Sets what an hour of each unit costs in every silo. */
export function PricesDialog({ onClose }: { onClose: () => void }) {
  const { data } = useQuery({ ...usagePrices, gcTime: 0 })
  if (!data) return null
  return <PricesForm currency={data.currency} prices={data.prices} onClose={onClose} />
}

type Prices = Record<Meter, number | null>

function PricesForm(props: { currency: string; prices: Record<Meter, number>; onClose: () => void }) {
  const update = useOp(op.usagePricesUpdate, {})
  return (
    <DialogForm
      title="Edit prices"
      submitLabel="Save"
      pendingLabel="Saving"
      initial={{ currency: props.currency, ...(props.prices as Prices) }}
      check={() => ({})}
      save={({ currency, ...prices }, send) =>
        update.run(
          {
            body: {
              currency: currency.trim(),
              prices: Object.fromEntries(meters.map((meter) => [meter, prices[meter] ?? 0])) as Record<
                Meter,
                number
              >,
            },
          },
          send,
        )
      }
      saved={() => 'Prices updated'}
      onClose={props.onClose}
    >
      <p className="text-muted">The prices apply to every month, also to those that have passed.</p>
      <TextField
        name="currency"
        label="Currency"
        optional
        placeholder="EUR"
        problem={(text) =>
          text.length > usageLimits.currency ? `Use at most ${usageLimits.currency} characters` : undefined
        }
      />
      {meters.map((meter) => (
        <NumberField
          key={meter}
          name={meter}
          label={`Price of a ${meterWords[meter].each}`}
          max={usageLimits.price}
          decimals
        />
      ))}
    </DialogForm>
  )
}
