CREATE TABLE "nightshift"."sessions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"user_id" bigint NOT NULL,
	"way" text NOT NULL,
	"address" text NOT NULL,
	"agent" text NOT NULL,
	"began_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "sessions_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "sessions_digest_unique" UNIQUE("digest"),
	CONSTRAINT "sessions_digest_length" CHECK (length("nightshift"."sessions"."digest") = 32),
	CONSTRAINT "sessions_way" CHECK ("nightshift"."sessions"."way" IN ('password', 'link', 'provider'))
);
--> statement-breakpoint
CREATE TABLE "nightshift"."sign_in_links" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "sign_in_links_digest_length" CHECK (length("nightshift"."sign_in_links"."digest") = 32)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"account_id" bigint NOT NULL,
	"login" text NOT NULL,
	"role" text NOT NULL,
	"password_hash" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"disabled_at" timestamp with time zone,
	"last_sign_in_at" timestamp with time zone,
	CONSTRAINT "users_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "users_login_unique" UNIQUE("login"),
	CONSTRAINT "users_login" CHECK (length("nightshift"."users"."login") BETWEEN 1 AND 254 AND "nightshift"."users"."login" = lower("nightshift"."users"."login")),
	CONSTRAINT "users_role" CHECK ("nightshift"."users"."role" IN ('viewer', 'member', 'admin', 'operator'))
);
--> statement-breakpoint
ALTER TABLE "nightshift"."sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "nightshift"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."sign_in_links" ADD CONSTRAINT "sign_in_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "nightshift"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."users" ADD CONSTRAINT "users_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_by_user" ON "nightshift"."sessions" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "sign_in_links_by_user" ON "nightshift"."sign_in_links" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "users_by_account" ON "nightshift"."users" USING btree ("account_id","id");--> statement-breakpoint
GRANT SELECT, INSERT ON nightshift.users, nightshift.sessions, nightshift.sign_in_links TO nightshift_app;
--> statement-breakpoint
GRANT UPDATE (role, password_hash, disabled_at, last_sign_in_at) ON nightshift.users TO nightshift_app;
--> statement-breakpoint
GRANT UPDATE (seen_at, ended_at) ON nightshift.sessions TO nightshift_app;
--> statement-breakpoint
GRANT UPDATE (expires_at, used_at) ON nightshift.sign_in_links TO nightshift_app;
--> statement-breakpoint
-- Who was signed in from where is nobody's business once it is over; that they signed in stays in the audit log.
GRANT DELETE ON nightshift.sessions, nightshift.sign_in_links TO nightshift_app;
--> statement-breakpoint
GRANT USAGE ON ALL SEQUENCES IN SCHEMA nightshift TO nightshift_app;
