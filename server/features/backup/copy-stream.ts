import { Readable, type Readable as ReadableStream, Writable } from 'node:stream';
import type pg from 'pg';

/**
 * COPY over an open connection, as streams: rows in PostgreSQL's own text form (one line a row), which every version reads and none of
 * which is ever held in memory as a whole. Between the two sides there is only what pg calls a `Submittable`: something that sends a
 * statement and hears the answers to it.
 */

/** What pg's connection can do beyond its type definitions. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Rows come one a message; passed on in pieces of about so many bytes. */
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
    // The parser uses its buffer again.
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
   * Returns the connection as it was found. The last rows may have paused it in the same read that brought the end, and no one asks this
   * stream for more after its end: the answer to the next statement would never be read.
   */
  private leave(connection: pg.Connection): void {
    this.isOver = true;
    connection.stream.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // There is no way to stop a COPY but to go.
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

  /** Runs `work` once the other side takes rows. */
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
    // Also without an error: the database would wait for more rows, and the next statement for the database.
    if (!this.isOver && this.connection?.stream.writable) this.connection.sendCopyFail('given up');
    done(error);
  }
}

/** Runs `COPY … TO STDOUT` and gives what it delivers; ended early, it takes the connection along. */
export function copyOut(client: pg.ClientBase, statement: string): ReadableStream {
  return client.query(new CopyOut(statement));
}

/** Runs `COPY … FROM STDIN` with what is written to it; finished means that every row was taken. */
export function copyIn(client: pg.ClientBase, statement: string): Writable {
  return client.query(new CopyIn(statement));
}
