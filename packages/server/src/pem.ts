const block = /-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/g

/**
 * The blocks of a text as OpenSSL wants them: each line without blanks around it, and each block on lines of its own.
 * Files that were joined have blocks that follow each other without the end of a line, and pasted ones are indented.
 * A text without blocks stays unchanged.
 */
export function plainPem(text: string): string {
  const blocks = [...text.matchAll(block)].map(([, label, body = '']) =>
    [`-----BEGIN ${label}-----`, body.trim().split(/\s*\n\s*/), `-----END ${label}-----\n`].flat().join('\n'),
  )
  return blocks.length > 0 ? blocks.join('') : text
}
