import { Readable, type Readable as ReadableStream, Writable } from 'node:stream';
import type pg from 'pg';

/**
 * COPY over an open connection, as streams of rows in PostgreSQL's text format (one line per row), which every version reads.
 * No table is ever held in memory as a whole. Uses pg's `Submittable` interface: an object that sends a statement and receives
 * its responses.
 */

/** Methods of pg's connection that its type definitions lack. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Each row is one message; they are passed on in chunks of about this many bytes. */
const pieceBytes = 64 * 1024;

class CopyOut extends Readable implements pg.Submittable {
  private connection: pg.Connection | undefined;
  private piece: Buffer[] = [];
  private pieceLength = 0;
  private isOver = false;

  constructor(private readonly statement: string) {
    super({ highWaterMark: 4 * pieceBytes });
  }

  submit(connection: pg.Connection): void {
    this.connection = connection;
    connection.query(this.statement);
  }

  override _read(): void {
    if (!this.isOver) this.connection?.stream.resume();
  }

  handleCopyData({ chunk }: { chunk: Buffer }, connection: pg.Connection): void {
    if (this.destroyed) return;
    // Copied because the parser reuses its buffer.
    this.piece.push(Buffer.from(chunk));
    this.pieceLength += chunk.length;
    if (this.pieceLength >= pieceBytes && !this.pushPiece()) connection.stream.pause();
  }

  private pushPiece(): boolean {
    const piece = Buffer.concat(this.piece);
    this.piece = [];
    this.pieceLength = 0;
    return this.push(piece);
  }

  handleCommandComplete(): void {
    if (this.pieceLength > 0) this.pushPiece();
  }

  handleReadyForQuery(connection: pg.Connection): void {
    this.leave(connection);
    this.push(null);
  }

  handleError(error: Error, connection: pg.Connection): void {
    this.leave(connection);
    this.destroy(error);
  }

  /**
   * Returns the connection to its previous state. The last rows may have paused it in the same read that brought the end, and
   * nothing reads this stream after its end: the response to the next statement would never be read.
   */
  private leave(connection: pg.Connection): void {
    this.isOver = true;
    connection.stream.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // Closing the connection is the only way to cancel a COPY.
    if (!this.isOver) this.connection?.stream.destroy();
    done(error);
  }
}

class CopyIn extends Writable implements pg.Submittable {
  private connection: CopyConnection | undefined;
  private waiting: (() => void) | undefined;
  private finish: ((error?: Error | null) => void) | undefined;
  private isOver = false;

  constructor(private readonly statement: string) {
    super();
  }

  submit(connection: pg.Connection): void {
    connection.query(this.statement);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.connection = connection;
    if (this.destroyed) connection.sendCopyFail('given up');
    else this.waiting?.();
  }

  /** Runs `work` once the server accepts rows. */
  private whenOpen(work: (connection: CopyConnection) => void): void {
    const { connection } = this;
    if (connection) work(connection);
    else this.waiting = () => this.whenOpen(work);
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.whenOpen((connection) => {
      const { stream } = connection;
      if (!stream.writable) return done(new Error('The connection to the database was lost.'));
      connection.sendCopyFromChunk(chunk);
      if (stream.writableNeedDrain) stream.once('drain', () => done());
      else done();
    });
  }

  override _final(done: (error?: Error | null) => void): void {
    this.finish = done;
    this.whenOpen((connection) => connection.endCopyFrom());
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.isOver = true;
    this.finish?.();
  }

  handleError(error: Error): void {
    this.isOver = true;
    if (this.finish) this.finish(error);
    else this.destroy(error);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // Also without an error: otherwise the server would wait for more rows, and the next statement for the server.
    if (!this.isOver && this.connection?.stream.writable) this.connection.sendCopyFail('given up');
    done(error);
  }
}

/** Runs `COPY … TO STDOUT` as a readable stream; ending it early closes the connection. */
export function copyOut(client: pg.ClientBase, statement: string): ReadableStream {
  return client.query(new CopyOut(statement));
}

/** Runs `COPY … FROM STDIN` as a writable stream; it finishes once every row was accepted. */
export function copyIn(client: pg.ClientBase, statement: string): Writable {
  return client.query(new CopyIn(statement));
}
