import { shownBytes } from '@gantry/api/base/bytes.rules'
import {
  guessOfUrl,
  type ImageGuess,
  imageUrlMax,
  imageUrlProblem,
  isSha256,
} from '@gantry/api/storage/image-url.rules'
import { useEffect, useRef } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { TextField, useFormField } from '#/kit/forms/fields.tsx'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'

export interface UrlValues {
  url: string
  sha256: string
}

const nothing: ImageGuess = { name: '', os: '', version: '' }

const urlProblem = (url: string): string | undefined => {
  if (url.length > imageUrlMax) return `A URL has at most ${imageUrlMax} characters`
  const problem = imageUrlProblem(url)
  return problem && `The URL ${problem}`
}

/** The address of a file that the server fetches. Name, system and version follow from it, until they are typed. */
export function UrlFields({ maxSize }: { maxSize: number | undefined }) {
  const url = useWatch<UrlValues, 'url'>({ name: 'url' })
  const { clearErrors, getValues, setValue } = useFormContext<ImageGuess & UrlValues>()
  const { ref, ...keeping } = useFormField<boolean>('keepsBytes')
  const proposed = useRef(nothing)
  useEffect(() => {
    const guess = guessOfUrl(url)
    for (const key of ['name', 'os', 'version'] as const)
      if (getValues(key) === proposed.current[key]) {
        setValue(key, guess[key], { shouldDirty: true })
        if (guess[key] !== '') clearErrors(key)
      }
    proposed.current = guess
  }, [url, clearErrors, getValues, setValue])
  return (
    <>
      <TextField
        name="url"
        label="URL of the file"
        placeholder="https://"
        hint={
          maxSize !== undefined && maxSize > 0
            ? `The server fetches it, and continues when this page is closed. At most ${shownBytes(maxSize)}.`
            : 'The server fetches it, and continues when this page is closed.'
        }
        problem={urlProblem}
      />
      <TextField
        name="sha256"
        label="SHA-256"
        hint="If given, a file with another checksum is refused."
        optional
        mono
        problem={(text) => (isSha256(text) ? undefined : 'A SHA-256 has 64 hexadecimal digits')}
      />
      <Checkbox
        ref={ref}
        name="keepsBytes"
        checked={keeping.value}
        onBlur={keeping.onBlur}
        onChange={(event) => keeping.onChange(event.target.checked)}
      >
        Keep its bytes as they are
      </Checkbox>
    </>
  )
}
