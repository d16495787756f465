// @chunk show-code: of what a form, a list or a page sends, which few ask for.
import type { ReactNode } from 'react'
import { Button } from '#/ui/Button.tsx'
import { useCopied } from '#/ui/CopyButton.tsx'
import { Segmented } from '#/ui/inputs/Segmented.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'

interface Props<Language extends string> {
  title: string
  languages: readonly Language[]
  language: Language
  onChoose: (language: Language) => void
  code: string
  /** Instead of the code, if there is none. */
  empty: string
  note: ReactNode
  /** Further buttons, before the one that copies. */
  buttons?: ReactNode
  onClose: () => void
}

/** Code in one of several languages, to copy. */
export function CodeDialog<Language extends string>(props: Props<Language>) {
  const { title, languages, language, onChoose, code, empty, note, buttons, onClose } = props
  const [isCopied, copy] = useCopied()
  return (
    <Dialog
      title={title}
      width="free"
      onRequestClose={onClose}
      footer={
        <>
          {buttons ?? (
            <Button size="lg" onClick={onClose}>
              Close
            </Button>
          )}
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
          onChange={onChoose}
        />
        {code === '' ? (
          <p>{empty}</p>
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
        <p className="text-sm text-muted">{note}</p>
      </div>
    </Dialog>
  )
}
