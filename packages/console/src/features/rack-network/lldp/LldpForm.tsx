import * as op from '@gantry/api/client/operations.gen'
import { ipProblem } from '@gantry/api/base/ip.rules'
import { isLonger } from '@gantry/api/base/text.rules'
import { useOp } from '#/data/use-op.ts'
import { CheckboxField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { TextField } from '#/kit/forms/fields.tsx'
import type { PlacedPort } from '../queries.ts'
import { type LldpConfig, lldpTextMax, lldpTexts, portAt } from './queries.ts'

interface Props {
  port: PlacedPort
  config: LldpConfig
  onClose: () => void
}

/** Belongs to the port settings, so it changes every port that uses them. */
export function LldpForm({ port, config, onClose }: Props) {
  const update = useOp(op.networkingSwitchPortLldpConfigUpdate)
  return (
    <DialogForm
      title="Edit LLDP configuration"
      submitLabel="Save"
      pendingLabel="Saving"
      initial={{
        enabled: config.enabled,
        chassisId: config.chassisId ?? '',
        systemName: config.systemName ?? '',
        systemDescription: config.systemDescription ?? '',
        linkName: config.linkName ?? '',
        linkDescription: config.linkDescription ?? '',
        managementIp: config.managementIp ?? '',
      }}
      save={({ enabled, ...texts }, send) =>
        update.run(
          {
            ...portAt(port),
            body: {
              id: config.id,
              enabled,
              chassisId: texts.chassisId || null,
              systemName: texts.systemName || null,
              systemDescription: texts.systemDescription || null,
              linkName: texts.linkName || null,
              linkDescription: texts.linkDescription || null,
              managementIp: texts.managementIp || null,
            },
          },
          send,
        )
      }
      saved={() => `LLDP configuration of ${port.place} updated`}
      onClose={onClose}
    >
      <p className="text-muted">
        Every port with the settings {port.portSettings?.name} gets this configuration.
      </p>
      <CheckboxField name="enabled">Announce the port to its neighbor</CheckboxField>
      {lldpTexts.map(([name, label]) => (
        <TextField
          key={name}
          name={name}
          label={label}
          optional
          problem={name === 'managementIp' ? ipProblem : tooLong}
        />
      ))}
    </DialogForm>
  )
}

const tooLong = (text: string): string | undefined =>
  isLonger(text, lldpTextMax) ? `Must be ${lldpTextMax} characters or fewer` : undefined
