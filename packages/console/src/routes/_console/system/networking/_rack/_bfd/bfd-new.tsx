import type { BfdMode } from '@gantry/api/rack-network/bgp.rules'
import { ipProblem } from '@gantry/api/base/ip.rules'
import type { SwitchLocation } from '@gantry/api/rack-network/address-lot.rules'
import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '#/data/use-op.ts'
import { NumberField, RadioField } from '#/kit/forms/choice-fields.tsx'
import { TextField } from '#/kit/forms/fields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { bfdModes } from '#/features/rack-network/bfd.tsx'
import { maxU32, numberProblem, SwitchField } from '#/features/rack-network/fields.tsx'

export const Route = createFileRoute('/_console/system/networking/_rack/_bfd/bfd-new')({
  staticData: { title: 'Enable BFD session' },
  component: BfdEnable,
})

interface Values {
  switchLocation: SwitchLocation
  remote: string
  local: string
  mode: BfdMode
  requiredRx: number | null
  detectionThreshold: number | null
}
const initial: Values = {
  switchLocation: 'switch0',
  remote: '',
  local: '',
  mode: 'single_hop',
  requiredRx: 300_000,
  detectionThreshold: 3,
}

function BfdEnable() {
  const enable = useOp(op.networkingBfdEnable)
  return (
    <SideForm
      title="Enable BFD session"
      pendingLabel="Enabling BFD session"
      initial={initial}
      save={async ({ switchLocation, local, requiredRx, detectionThreshold, ...body }, send) => {
        const numbers = { requiredRx: requiredRx ?? 0, detectionThreshold: detectionThreshold ?? 0 }
        await enable.run(
          { body: { ...body, ...numbers, switchSlot: switchLocation, ...(local && { local }) } },
          send,
        )
        return body.remote
      }}
      saved={(remote) => `BFD session with ${remote} enabled`}
      closeTo={{ to: '/system/networking/bfd' }}
    >
      <SwitchField />
      <TextField name="remote" label="Peer address" mono problem={ipProblem} />
      <TextField name="local" label="Local address" hint="Empty for any" mono optional problem={ipProblem} />
      <RadioField name="mode" label="Mode" options={bfdModes} />
      <NumberField
        name="requiredRx"
        label="Interval"
        unit="µs"
        hint="Time between packets"
        problem={numberProblem('Interval', 0, maxU32)}
      />
      <NumberField
        name="detectionThreshold"
        label="Detection threshold"
        hint="The number of missed packets after which the session goes down"
        problem={numberProblem('Detection threshold', 0, 255)}
      />
    </SideForm>
  )
}
