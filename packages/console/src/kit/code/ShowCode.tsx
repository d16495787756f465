// @chunk show-code: of what a form, a list or a page sends, which few ask for.
import { useState } from 'react'
import { Button } from '#/ui/Button.tsx'
import { useCopied } from '#/ui/CopyButton.tsx'
import { Segmented } from '#/ui/inputs/Segmented.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { codeOf, type Language, languages } from './code.ts'
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
  const [isCopied, copy] = useCopied()
  const codes = requests.map((request) => codeOf(request, location.origin)[language])
  const code = codes.filter((each) => each !== undefined).join('\n\n')
  const choose = (chosen: Language): void => {
    last = chosen
    setLanguage(chosen)
  }
  return (
    <Dialog
      title={title}
      width="free"
      onRequestClose={onClose}
      footer={
        <>
          <Button size="lg" onClick={onClose}>
            Close
          </Button>
          <Button
            size="lg"
            kind="primary"
            disabledReason={code === '' ? 'There is nothing to copy' : undefined}
            onClick={() => void copy(code)}
          >
            {isCopied ? 'Copied' : 'Copy code'}
          </Button>
        </>
      }
    >
      <div className="max-w-full space-y-3" style={{ width: '44rem' }}>
        <Segmented
          label="Language"
          options={languages.map((value) => ({ value, label: value }))}
          value={language}
          onChange={choose}
        />
        {code === '' ? (
          <p>The Terraform provider has no resource for this.</p>
        ) : (
          <pre
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
            tabIndex={0}
            role="region"
            aria-label={`Code in ${language}`}
            className="overflow-x-auto rounded-control border border-line bg-sunken px-3 py-2.5 font-mono text-[0.8125rem] text-strong"
          >
            {code}
          </pre>
        )}
        <p className="text-sm text-muted">{notes[language]}</p>
      </div>
    </Dialog>
  )
}

const notes: Readonly<Record<Language, string>> = {
  curl: 'GANTRY_TOKEN is an access token, which User settings create.',
  gantry: `Sign in first: gantry login ${location.origin}`,
  TypeScript: 'With the client library, and an access token in GANTRY_TOKEN.',
  Terraform: 'Resources of the provider oxidecomputer/oxide, which names other objects by their ids.',
}
