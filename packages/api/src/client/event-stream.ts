export interface StreamEvent {
  type: string
  data: string
  id: string | undefined
}

/**
 * Parses a text stream into server-sent events. Comments are heartbeats and produce no event, but their id gives the
 * listener's position. Handwritten because the browser's EventSource reports neither the status of a refusal nor
 * missing heartbeats.
 */
export function eventParser(
  onEvent: (event: StreamEvent) => void,
  onId: (id: string) => void = () => undefined,
): (chunk: string) => void {
  let rest = ''
  let type = ''
  let data: string[] = []
  let id: string | undefined

  function line(text: string): void {
    if (text === '') {
      if (data.length > 0 || type) onEvent({ type: type || 'message', data: data.join('\n'), id })
      else if (id !== undefined) onId(id)
      type = ''
      data = []
      return
    }
    const [, field, value] = /^([^:]*):? ?(.*)$/.exec(text) ?? []
    if (field === 'event') type = value ?? ''
    else if (field === 'data') data.push(value ?? '')
    else if (field === 'id') id = value
  }

  return (chunk) => {
    const lines = (rest + chunk).split(/\r\n|\n/)
    rest = lines.pop() ?? ''
    for (const text of lines) line(text)
  }
}
