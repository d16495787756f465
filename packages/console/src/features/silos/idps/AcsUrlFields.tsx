import { acsUrlProblem } from '@gantry/api/people/saml.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { CheckboxField } from '#/kit/forms/choice-fields.tsx'
import { NameField, useTextField } from '#/kit/forms/fields.tsx'
import { CopyButton } from '#/ui/CopyButton.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { acsOrigin } from './queries.ts'
import { type ProviderValues, standardAcsUrl } from './values.ts'

/** The name, with the address of the sign-in page derived from it. */
export function ProviderNameField({ silo }: { silo: string }) {
  const name = useWatch<ProviderValues, 'name'>({ name: 'name' })
  return (
    <NameField
      name="name"
      hint={
        <>
          A short name for the provider in your silo. Users sign in at{' '}
          <span className="font-mono text-[0.8125rem] wrap-anywhere">
            /login/{silo}/saml/{name.trim() || 'idp-name'}
          </span>
        </>
      }
    />
  )
}

/** Where the provider returns users to: derived from the name, unless entered. */
export function AcsUrlFields({ silo }: { silo: string }) {
  const form = useFormContext<ProviderValues>()
  const { origin } = useSuspenseQuery(acsOrigin(silo)).data
  const [name, isStandard] = useWatch<ProviderValues, ['name', 'hasStandardAcsUrl']>({
    name: ['name', 'hasStandardAcsUrl'],
  })
  useEffect(() => {
    if (isStandard) form.setValue('acsUrl', standardAcsUrl(origin, silo, name.trim()))
  }, [form, silo, name, isStandard, origin])
  const { input, error } = useTextField('acsUrl', (url) => {
    const problem = acsUrlProblem(url)
    return url.trim() ? problem && `This ACS URL cannot be used: ${problem}` : 'ACS URL is required'
  })
  return (
    <div className="space-y-2">
      <Field
        label="ACS URL"
        hint="Endpoint of this silo that receives the responses of the identity provider."
        error={error}
      >
        <div className="flex items-center gap-1">
          <TextInput {...input} disabled={isStandard} />
          <CopyButton text={input.value} />
        </div>
      </Field>
      <CheckboxField name="hasStandardAcsUrl">Use standard ACS URL</CheckboxField>
    </div>
  )
}
