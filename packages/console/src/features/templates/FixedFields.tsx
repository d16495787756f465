// @chunk template-forms: of forms that save and edit templates.
import { templateFields, templateFieldWords } from '@gantry/api/compute/instance-template.rules'
import { useFormField } from '#/kit/forms/fields.tsx'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import type { TemplateField } from './queries.ts'

interface Props {
  /** What the template keeps, in words. */
  words: Readonly<Record<TemplateField, string>>
}

/** Which settings users of a template may change. The form's field `fixed` has the others. */
export function FixedFields({ words }: Props) {
  const { value: fixed, onChange } = useFormField<TemplateField[]>('fixed')
  return (
    <Field
      group
      label="Can be changed"
      hint="What is not ticked is locked in the form of a new instance, and the server refuses other values."
    >
      <div role="group" aria-label="Can be changed">
        {templateFields.map((field) => (
          <Checkbox
            key={field}
            checked={!fixed.includes(field)}
            onChange={(event) =>
              onChange(event.target.checked ? fixed.filter((each) => each !== field) : [...fixed, field])
            }
          >
            {templateFieldWords[field]}
            <span className="block text-sm wrap-anywhere text-muted">{words[field]}</span>
          </Checkbox>
        ))}
      </div>
    </Field>
  )
}
