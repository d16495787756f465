// @chunk show-code: of what a form, a list or a page sends, which few ask for.
import { useState } from 'react'
import { codeOf, type Language, languages } from './code.ts'
import { CodeDialog } from './CodeDialog.tsx'
import type { CodeRequest } from './request.ts'

interface Props {
  title: string
  requests: readonly CodeRequest[]
  onClose: () => void
}

/** The language that the user looked at last. */
let last: Language = 'curl'

/** The requests of a form, a list or a page in several languages. */
export function ShowCode({ title, requests, onClose }: Props) {
  const [language, setLanguage] = useState(last)
  const codes = requests.map((request) => codeOf(request, location.origin)[language])
  const choose = (chosen: Language): void => {
    last = chosen
    setLanguage(chosen)
  }
  return (
    <CodeDialog
      title={title}
      languages={languages}
      language={language}
      onChoose={choose}
      code={codes.filter((each) => each !== undefined).join('\n\n')}
      empty="The Terraform provider has no resource for this."
      note={notes[language]}
      onClose={onClose}
    />
  )
}

const notes: Readonly<Record<Language, string>> = {
  curl: 'GANTRY_TOKEN is an access token, which User settings create.',
  gantry: `Sign in first: gantry login ${location.origin}`,
  TypeScript: 'With the client library, and an access token in GANTRY_TOKEN.',
  Terraform: 'Resources of the provider oxidecomputer/oxide, which names other objects by their ids.',
}
