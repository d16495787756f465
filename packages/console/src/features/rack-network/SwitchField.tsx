import { switchLocations } from '@gantry/api/address-lot.rules'
import { RadioField } from '#/features/common/forms/choice-fields.tsx'

const options = switchLocations.map((value) => ({ value, label: value }))

/** One of the two switches of the rack. */
export const SwitchField = () => <RadioField name="switchLocation" label="Switch" options={options} />
